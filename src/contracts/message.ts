/**
 * The message types that the whole house speaks: those of the model library. Only `state/` knows the
 * database's columns, only `model/` knows a vendor's wire format.
 */
import type {
  AssistantMessage,
  ImageContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from '@earendil-works/pi-ai';

export type {
  AssistantMessage,
  ImageContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
};

/** A message of a conversation. The system prompt is not one of them: it is frozen on the session. */
export type ChatMessage = UserMessage | AssistantMessage | ToolResultMessage;

/** What a model sees of a tool. `parameters` is a JSON Schema of type object, sanitised once, with sorted keys. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}
