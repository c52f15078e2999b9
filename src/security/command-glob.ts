/** Globs over commands: `*` any text, `?` one character, the whole command must match, case does not matter. */

export function matchesGlob(glob: string, command: string): boolean {
  const source = glob
    .trim()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '[\\s\\S]*')
    .replace(/\?/g, '[\\s\\S]');
  return new RegExp(`^${source}$`, 'i').test(command.trim());
}

/**
 * The first of `globs` that matches the command as given or any simple command inside it.
 * @param commands simple commands with wrappers opened (`sudo`, `env`, substitutions)
 */
export function firstMatch(
  globs: readonly string[],
  whole: string,
  commands: readonly string[],
  home: string,
): string | undefined {
  const texts = [whole, ...commands].map((text) => text.replace(/\s+/g, ' '));
  const folded = home.length > 1 ? texts.map((text) => text.replaceAll(home, '~')) : [];
  const candidates = [...new Set([...texts, ...folded])];
  return globs.find((glob) => candidates.some((text) => matchesGlob(glob, text)));
}
