/** Set by build/bundle.mjs and vitest.config.ts. */
declare const PACKAGE_VERSION: string;

/** Version of this program as package.json has it, `0.1.0`. */
export const version = PACKAGE_VERSION;
