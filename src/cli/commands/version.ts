import { defineCommand } from '../command.ts';

export function createVersionCommand(version: string) {
  return defineCommand(
    { name: 'version', summary: 'Show the version, the runtime and the platform', flags: {} },
    async (_input, ctx) => {
      ctx.stdout.write(`hermes ${version}\nnode ${process.versions.node}\n${process.platform} ${process.arch}\n`);
      return 0;
    },
  );
}
