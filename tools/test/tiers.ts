/** The tiers of the test run. A file's tier is told by its name or place, as these patterns say; see ARCHITECTURE.md. */

const code = '{packages/*/src,apps/*/src,tools,spec}/**';
const allTests = [`${code}/*.test.ts`, 'spec/**/*.spec.ts', 'examples/*.test.ts'];

/** What needs Chromium. */
const browser = ['packages/*/src/browser/**/*.test.ts', 'spec/**/*.browser.spec.ts'];

/** What kills, floods, races or installs: minutes of work, and figures that another file's work would spoil. */
const torture = [`${code}/*.torture.test.ts`, 'examples/*.test.ts'];

/** What asks services of others, where an account of theirs is given. */
const live = [`${code}/*.live.test.ts`];

/** What starts no service and opens no database: whole folders, and files that say so in their name. */
const unit = [
  `${code}/*.unit.test.ts`,
  'packages/channels/src/**/*.test.ts',
  'packages/connectors/src/sql/**/*.test.ts',
  'packages/jobs/src/cron/**/*.test.ts',
  'packages/server/src/doors/send/**/*.test.ts',
  'packages/server/src/platform/{config,crypto,outbound,tabular}/**/*.test.ts',
  'packages/web/src/**/*.test.ts',
  'spec/coverage/**/*.test.ts',
];

/** Which files belong to a tier: those of `include` that are not in `exclude`. */
type Tier = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** Every test file is in exactly one tier. `service` is the rest: what needs no browser, torture or account of others. */
export const tiers = {
  unit: { include: unit, exclude: [...browser, ...torture] },
  service: { include: allTests, exclude: [...unit, ...browser, ...torture, ...live] },
  browser: { include: browser, exclude: torture },
  torture: { include: torture, exclude: [] },
  live: { include: live, exclude: [] },
} satisfies Readonly<Record<string, Tier>>;

export type TierName = keyof typeof tiers;

/** What `npm test` runs. */
export const everydayTiers: readonly TierName[] = ['unit', 'service'];
