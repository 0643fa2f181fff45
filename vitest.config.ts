import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };

const minutes = (count: number) => count * 60_000;

/** One project for each part of the tests that test/run can run alone; all of them together are every test there is. */
export default defineConfig({
  define: { PACKAGE_VERSION: JSON.stringify(packageJson.version) },
  test: {
    // @alicloud/oss20190517 is CommonJS with a default of its own: tests must see what Node sees (facts/oss.md).
    deps: { interopDefault: false },
    projects: [
      {
        extends: true,
        test: { name: 'static', include: ['test/static/**/*.test.ts'], testTimeout: minutes(2) },
      },
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{static,script,golden,cluster,contract,package,host,runtime,faults,terminal}/**'],
          testTimeout: minutes(1),
        },
      },
      {
        extends: true,
        test: { name: 'scripts', include: ['test/{script,golden}/**/*.test.ts'], testTimeout: minutes(1) },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: minutes(5),
          hookTimeout: minutes(1),
        },
      },
      {
        extends: true,
        test: {
          name: 'terminal',
          include: ['test/terminal/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: minutes(1),
          hookTimeout: minutes(1),
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/{cluster,contract}/**/*.test.ts'],
          globalSetup: ['test/cluster/global-setup.ts'],
          fileParallelism: false,
          testTimeout: minutes(1),
          hookTimeout: minutes(1),
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: minutes(3),
          hookTimeout: minutes(3),
        },
      },
      {
        extends: true,
        test: {
          name: 'host',
          include: ['test/host/**/*.test.ts'],
          globalSetup: ['test/host/global-setup.ts'],
          fileParallelism: false,
          testTimeout: minutes(5),
          hookTimeout: minutes(5),
        },
      },
      {
        extends: true,
        test: {
          name: 'runtime',
          include: ['test/runtime/**/*.test.ts'],
          globalSetup: ['test/runtime/global-setup.ts'],
          fileParallelism: false,
          testTimeout: minutes(1),
        },
      },
    ],
  },
});
