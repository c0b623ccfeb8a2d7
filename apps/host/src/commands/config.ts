import { type Config, describeSettings, inspectConfig, loadConfig } from '@svc/server';
import { examineSessions, faultsOf } from '@svc/server/operations';
import { checkAllSettings } from '../check-settings.ts';
import type { CommandContext } from './database.ts';

/**
 * `svc config check`: checks the settings and an external database, as a start does.
 *
 * @throws Error that lists all faults, one per line.
 */
export async function checkConfig({ env, say }: CommandContext): Promise<void> {
  const { config, origins, faults: unread } = inspectConfig({ env });
  // A fault that results from the default of an unreadable setting is not listed.
  const ofSettings = faultsOfSettings(config);
  // An unusable connection string is listed only once.
  const isUsable = !ofSettings.some((text) => text.includes('Svc:Database:ConnectionString'));
  const further = [...ofSettings, ...(isUsable ? await faultsOfDatabase(config) : [])].filter(
    (text) => !unread.some(({ key }) => text.includes(key)),
  );
  const faults = [...unread.map(({ text }) => text), ...further];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  say(`The settings hold: ${origins.size} are configured, the rest have their defaults.`);
}

function faultsOfSettings(config: Config): readonly string[] {
  try {
    checkAllSettings(config);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

async function faultsOfDatabase(config: Config): Promise<readonly string[]> {
  const connectionString = config['Svc:Database:ConnectionString'];
  if (connectionString === undefined) return [];
  try {
    return faultsOf(await examineSessions({ connectionString }));
  } catch (error) {
    return [`PostgreSQL: No connection: ${(error as Error).message}. Check Svc:Database:ConnectionString.`];
  }
}

const nameWidth = 60;
const valueWidth = 40;

/**
 * `svc config print`: prints every configured setting with its value and origin. `isAll` adds the defaults. Secrets
 * appear as `***`.
 */
export function printConfig(
  { env, answer }: CommandContext,
  { isJson, isAll }: { readonly isJson: boolean; readonly isAll: boolean },
): void {
  const shown = describeSettings(loadConfig({ env })).filter(({ origin }) => isAll || origin !== null);
  if (isJson) {
    answer(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const line = (name: string, value: string, origin: string): string =>
    `${name.padEnd(nameWidth)} ${value.padEnd(valueWidth)} ${origin}\n`;
  for (const { key, value, origin } of shown)
    answer(
      line(key, typeof value === 'string' ? value : JSON.stringify(value ?? null), origin ?? 'the default'),
    );
}
