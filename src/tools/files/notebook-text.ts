/** A Jupyter notebook as its cells, without the JSON around them. */
import { isRecord } from '../../lib/record.ts';

const MAX_OUTPUT_CHARS = 2_000;

/** Undefined when the text is no notebook: it is then shown as it is. */
export function notebookText(json: string): string | undefined {
  try {
    const notebook: unknown = JSON.parse(json);
    if (!isRecord(notebook) || !Array.isArray(notebook.cells)) return undefined;
    return notebook.cells.map((cell, index) => cellText(cell, index + 1)).join('\n\n');
  } catch {
    return undefined; // broken JSON
  }
}

function cellText(cell: unknown, number: number): string {
  if (!isRecord(cell)) return `# Cell ${number}`;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(outputText).filter((text) => text !== '') : [];
  const head = `# Cell ${number} [${typeof cell.cell_type === 'string' ? cell.cell_type : 'unknown'}]`;
  return [head, joined(cell.source), ...outputs.map((text) => `# Output\n${text}`)].join('\n');
}

function outputText(output: unknown): string {
  if (!isRecord(output)) return '';
  const data = isRecord(output.data) ? output.data : {};
  const text = joined(output.text ?? data['text/plain'] ?? output.evalue);
  return text.length <= MAX_OUTPUT_CHARS ? text : `${text.slice(0, MAX_OUTPUT_CHARS)}... [truncated]`;
}

function joined(source: unknown): string {
  if (Array.isArray(source)) return source.filter((line) => typeof line === 'string').join('');
  return typeof source === 'string' ? source : '';
}
