/** From what a model sent to something that can run: name, arguments, plan. */
import type { ToolCallView } from '../contracts/turn.ts';
import { errorText } from '../lib/errors.ts';
import { isRecord } from '../lib/record.ts';
import { type Checked, checkArguments } from './arguments.ts';
import { nearestNames, repairToolName } from './names.ts';
import type { JsonSchema } from './parameters.ts';
import { isParameters } from './schema.ts';
import { failure, type Invocation, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments object; anything else is answered with an explanation. */
  readonly args: unknown;
  /** Why the arguments could not be read, when they could not. */
  readonly argumentsError?: string;
}

export interface PreparedCall {
  readonly callId: string;
  /** Repaired; as sent when no tool was found. */
  readonly name: string;
  readonly view: ToolCallView;
  readonly invocation: Invocation;
  readonly ctx: ToolContext;
  /** Absent when there is none of that name. */
  readonly tool?: Tool;
  /** Set when the call cannot be made; running it gives the explanation. */
  readonly rejected?: 'unknown-tool' | 'invalid-arguments';
}

export function prepareCall(
  call: ReceivedCall,
  ctx: ToolContext,
  tools: ReadonlyMap<string, Tool>,
  offered?: readonly string[],
  schemaOf: (tool: Tool) => JsonSchema | undefined = () => undefined,
): PreparedCall {
  const names = offered?.filter((name) => tools.has(name)) ?? [...tools.keys()];
  const name = repairToolName(call.name, names);
  const tool = name === undefined ? undefined : tools.get(name);
  if (tool === undefined) return reject(call, ctx, call.name, 'unknown-tool', unknownTool(call.name, names));
  const plan = planCall(tool, call, ctx, schemaOf(tool));
  if (!plan.ok) return { ...reject(call, ctx, tool.name, 'invalid-arguments', plan.outcome), tool };
  const { invocation } = plan;
  const view = { callId: call.id, tool: tool.name, summary: invocation.summary };
  return { callId: call.id, name: tool.name, view, invocation, ctx, tool };
}

type Plan =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly outcome: ToolOutcome };

function planCall(tool: Tool, call: ReceivedCall, ctx: ToolContext, schema: JsonSchema | undefined): Plan {
  const invalid = (message: string): Plan => ({ ok: false, outcome: failure('invalid-arguments', message) });
  if (call.argumentsError !== undefined) {
    return invalid(`The arguments of ${tool.name} were not a JSON object: ${call.argumentsError}`);
  }
  const raw = typeof call.args === 'string' ? parseObject(call.args) : call.args;
  if (!isRecord(raw)) return invalid(`The arguments of ${tool.name} must be a JSON object.`);
  try {
    const checked = checkFor(tool, tool.rewrite?.(raw) ?? raw, schema);
    if (!checked.ok) return invalid(`${tool.name}: ${checked.issues.join('; ')}.`);
    return { ok: true, invocation: tool.plan(checked.value, ctx) };
  } catch (error) {
    return invalid(`${tool.name}: ${errorText(error)}`);
  }
}

function checkFor(tool: Tool, raw: Record<string, unknown>, schema: JsonSchema | undefined): Checked {
  const { parameters } = tool;
  if (isParameters(parameters)) return checkArguments(parameters.jsonSchema, raw);
  const coerced = schema === undefined ? undefined : checkArguments(schema, raw);
  if (coerced?.ok === false) return coerced;
  const parsed = parameters.safeParse(coerced?.value ?? raw);
  if (parsed.success) return { ok: true, value: parsed.data as Record<string, unknown> }; // parameters are objects
  return {
    ok: false,
    issues: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`),
  };
}

function unknownTool(given: string, names: readonly string[]): ToolOutcome {
  const near = nearestNames(given, names, 3);
  return failure('unknown-tool', `There is no tool named ${JSON.stringify(given.slice(0, 100))}.`, {
    closest: near,
    available: [...names].sort(),
  });
}

function reject(
  call: ReceivedCall,
  ctx: ToolContext,
  name: string,
  rejected: NonNullable<PreparedCall['rejected']>,
  outcome: ToolOutcome,
): PreparedCall {
  const invocation: Invocation = { summary: name, concurrency: 'barrier', run: async () => outcome };
  return { callId: call.id, name, view: { callId: call.id, tool: name, summary: name }, invocation, ctx, rejected };
}

function parseObject(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported as "must be a JSON object"
  }
}
