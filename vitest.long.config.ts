import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 900_000,
    pool: 'forks',
    globalSetup: ['test/support/temporary-folder.ts'],
    setupFiles: ['test/support/guard-home.ts'],
  },
});
