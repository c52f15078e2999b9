import { describe, expect, it } from 'vitest';
import { exposedTools, PRESETS } from './toolsets.ts';

const tools = [
  { name: 'read_file', toolset: 'file' },
  { name: 'terminal', toolset: 'terminal' },
  { name: 'clarify', toolset: 'clarify' },
  { name: 'kanban_show', toolset: 'kanban' },
  { name: 'discord', toolset: 'discord' },
  { name: 'mcp__git__log', toolset: 'mcp-git' },
];
const names = (exposure: Parameters<typeof exposedTools>[0]) => [...exposedTools(exposure, tools).names].sort();

describe('exposedTools', () => {
  it('offers all but what must be asked for when nothing is named', () => {
    expect(names({})).toEqual(['clarify', 'discord', 'mcp__git__log', 'read_file', 'terminal']);
    expect(names({ enabled: ['all'] })).toEqual(names({}));
    expect(names({ enabled: ['kanban'] })).toEqual(['kanban_show']);
  });

  it('takes the disabled away last, and from a preset only what it adds to the core', () => {
    expect(names({ enabled: ['hermes-discord'], disabled: ['clarify', 'hermes-discord'] })).toEqual(
      names({ enabled: ['hermes-cli'], disabled: ['clarify'] }),
    );
  });

  it('knows old names, composites, custom sets, single tools and bare server names', () => {
    expect(names({ enabled: ['file_tools'] })).toEqual(['read_file']);
    expect(names({ enabled: ['debugging'] })).toEqual(['read_file', 'terminal']);
    expect(names({ enabled: ['mine'], custom: { mine: ['file', 'git'] } })).toEqual(['mcp__git__log', 'read_file']);
    expect(names({ enabled: ['read_file'] })).toEqual(['read_file']);
  });

  it('ends for custom sets that hold each other', () => {
    expect(names({ enabled: ['a'], custom: { a: ['b', 'file'], b: ['a'] } })).toEqual(['read_file']);
  });

  it('says which name means nothing and goes on', () => {
    const exposed = exposedTools({ enabled: ['file', 'flie'] }, tools);
    expect([...exposed.names]).toEqual(['read_file']);
    expect(exposed.notices).toEqual([expect.stringContaining('"flie"')]);
  });

  it('gives the editor no clarify and the webhook no local tool', () => {
    expect(names({ enabled: ['hermes-acp'] })).not.toContain('clarify');
    expect(names({ enabled: ['hermes-webhook'] })).toEqual(['clarify']);
    for (const preset of Object.keys(PRESETS)) expect(exposedTools({ enabled: [preset] }, tools).notices).toEqual([]);
  });
});
