/** Tiers of the test run. The name or place of a file determines its tier, by these patterns. See ARCHITECTURE.md. */

const code = '{packages/*/src,apps/*/src,tools,spec}/**';
const allTests = [`${code}/*.test.ts`, 'spec/**/*.spec.ts', 'examples/*.test.ts'];

/** Tests that need Chromium. */
const browser = ['packages/*/src/browser/**/*.test.ts', 'spec/**/*.browser.spec.ts'];

/** Tests that kill, flood, race or install. They take minutes, and load of other files would distort their figures. */
const torture = [`${code}/*.torture.test.ts`, 'examples/*.test.ts'];

/** Tests that call third-party services, where an account is configured. */
const live = [`${code}/*.live.test.ts`];

/** Tests that start no service and open no database: whole folders, and files with a name that says so. */
const unit = [
  `${code}/*.unit.test.ts`,
  'packages/channels/src/**/*.test.ts',
  'packages/connectors/src/sql/**/*.test.ts',
  'packages/jobs/src/cron/**/*.test.ts',
  'packages/server/src/gateways/send/**/*.test.ts',
  'packages/server/src/platform/{config,crypto,outbound,tabular}/**/*.test.ts',
  'packages/web/src/**/*.test.ts',
  'spec/coverage/**/*.test.ts',
];

/** Files of a tier: all that match `include` and do not match `exclude`. */
type Tier = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** Every test file is in exactly one tier. `service` contains all files that match no other tier. */
export const tiers = {
  unit: { include: unit, exclude: [...browser, ...torture] },
  service: { include: allTests, exclude: [...unit, ...browser, ...torture, ...live] },
  browser: { include: browser, exclude: torture },
  torture: { include: torture, exclude: [] },
  live: { include: live, exclude: [] },
} satisfies Readonly<Record<string, Tier>>;

export type TierName = keyof typeof tiers;

/** Tiers of `npm test`. */
export const everydayTiers: readonly TierName[] = ['unit', 'service'];
