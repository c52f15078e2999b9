/** Tool calls as a reply leaves the model room: each with an id of its own. */
import type { AssistantMessage } from '../contracts/message.ts';

/**
 * Ids that are missing or used twice in the reply are replaced: a result could not find its call otherwise.
 * Calls without a name are dropped; there is nothing to answer.
 */
export function finishCalls(content: AssistantMessage['content']): AssistantMessage['content'] {
  const seen = new Set<string>();
  return content
    .filter((block) => block.type !== 'toolCall' || block.name !== '')
    .map((block) => {
      if (block.type !== 'toolCall') return block;
      const id = block.id === '' || seen.has(block.id) ? newId() : block.id;
      seen.add(id);
      return id === block.id ? block : { ...block, id };
    });
}

const newId = (): string => `call_${Math.random().toString(36).slice(2, 14).padEnd(12, '0')}`;
