import { describe, expect, it } from 'vitest';
import { type KeySchema, keySchema, listKeys, lookUp } from './keys.ts';
import { configurationPage } from './keys-doc.ts';
import { validateConfig } from './validate.ts';

describe('the list of settings', () => {
  it('says of every setting what it means, and every default fits its own kind', () => {
    const keys = listKeys();
    expect(keys.filter(({ schema }) => !schema.description).map(({ path }) => path)).toEqual([]);
    for (const { path } of keys) expect([path, lookUp(path.split('.')).known]).toEqual([path, true]);
    const { config, faults } = validateConfig({});
    expect(faults).toEqual([]);
    expect(validateConfig(JSON.parse(JSON.stringify(config)))).toEqual({ config, faults: [] });
  });

  it('is printed whole on the reference page', () => {
    const page = configurationPage();
    const printed = (path: string) => page.includes(`| \`${path}\` |`) || page.includes(`\n## ${path}\n`);
    const missing = listKeys().filter(({ path }) => !path.startsWith('_') && !printed(path));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it('gives each setting its default when a neighbour is set', () => {
    const groups = (schema: KeySchema, path: string[] = []): string[][] =>
      schema.properties
        ? [path, ...Object.entries(schema.properties).flatMap(([key, child]) => groups(child, [...path, key]))]
        : [];
    const standard = validateConfig({}).config;
    for (const path of groups(keySchema())) {
      const tree = path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), { zz_new: 1 });
      const { config, faults } = validateConfig(tree);
      expect(faults).toEqual([]);
      const at = (value: unknown) =>
        path.reduce<unknown>((here, key) => (here as Record<string, unknown> | undefined)?.[key], value);
      expect(at(config)).toEqual({ ...(at(standard) as object | undefined), zz_new: 1 });
    }
  });
});
