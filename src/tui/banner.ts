/** The first lines: what this is, which model, where. */
import { homedir } from 'node:os';
import { truncateToWidth } from '@earendil-works/pi-tui';
import { plural } from '../commands/format.ts';
import type { ModelInfo } from '../model/client.ts';
import { Block } from './blocks/block.ts';
import { visibleLine } from './sanitize.ts';
import type { Theme } from './theme.ts';

export interface BannerFacts {
  readonly model: ModelInfo | undefined;
  readonly cwd: string;
  readonly sessionId: string | undefined;
  readonly profile: string;
  readonly toolCount: number | undefined;
  readonly yolo: boolean;
}

export class Banner extends Block {
  readonly #theme: Theme;
  #facts: BannerFacts;

  constructor(facts: BannerFacts, theme: Theme) {
    super();
    this.#facts = facts;
    this.#theme = theme;
  }

  set(facts: BannerFacts): void {
    this.#facts = facts;
    this.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    const { model, cwd, sessionId, profile, toolCount, yolo } = this.#facts;
    const theme = this.#theme;
    const line = (parts: readonly (string | undefined)[]) =>
      truncateToWidth(parts.filter((part) => part !== undefined).join(theme.dim(' · ')), width, '…');
    const lines = [
      line([
        theme.bold(theme.accent('Hermes')),
        model && `${visibleLine(model.model)} (${visibleLine(model.provider)})`,
        toolCount === undefined ? undefined : plural(toolCount, 'tool'),
        profile === 'default' ? undefined : `profile ${visibleLine(profile)}`,
      ]),
      line([
        theme.dim(visibleLine(shortPath(cwd))),
        sessionId && theme.dim(`session ${sessionId}`),
        theme.dim('/help'),
      ]),
    ];
    if (model?.demo === true)
      lines.push(
        theme.warn('Demo model: it follows rules and knows nothing. Run `hermes setup` to connect a real one.'),
      );
    if (yolo) lines.push(theme.error('⚠ YOLO: dangerous commands run without asking.'));
    return lines;
  }
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
