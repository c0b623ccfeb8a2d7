import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { type Config, describeSettings, loadConfig } from '@svc/server';
import {
  type Examination,
  examineDatabase,
  type Finding,
  fault,
  warning,
  well,
} from '@svc/server/operations';
import { lookAtNamedCertificates } from '../certificates.ts';
import { checkAllSettings } from '../check-settings.ts';
import { lookAtMail } from '../email/look.ts';
import { presentKeys } from '../encryption-key.ts';
import { lookAtPorts } from '../listening/ports.ts';
import { type CommandContext, withDatabase } from './database.ts';
import { lookAtDisk } from './disk.ts';

const marks: Readonly<Record<Finding['state'], string>> = { Well: 'ok  ', Warning: 'warn', Fault: 'BAD ' };

/**
 * `svc doctor [--bundle FILE]`: checks the service from outside and prints a remedy for each fault. Changes nothing.
 *
 * @returns true without warnings and faults.
 */
export async function doctor(
  context: CommandContext,
  { bundle }: { readonly bundle: string | undefined },
): Promise<boolean> {
  const { say } = context;
  const { config, areSound, findings: settings } = readSettings(context);
  const beside = config ? await ofMachine(config, areSound) : [];
  const { findings, ...seen } = config ? await ofDatabase(context) : { findings: [] };
  const all = [...settings, ...beside, ...findings];
  for (const { subject, state, text, remedy } of all) {
    say(`${marks[state]}  ${subject}: ${text}`);
    if (remedy !== null) say(`      ${remedy}`);
  }
  if (bundle !== undefined) {
    writeBundle(context, bundle, { findings: all, ...seen });
    say(`Written to ${bundle}. It holds no secret; look at it before you send it.`);
  }
  const wrong = all.filter(({ state }) => state !== 'Well').length;
  say(wrong === 0 ? 'Nothing is wrong.' : `To be looked at: ${wrong} of ${all.length}.`);
  return wrong === 0;
}

/** Reads the settings. Readable settings are returned even if they are inconsistent, so that further checks can run. */
function readSettings({ env }: CommandContext): {
  readonly config?: Config;
  readonly areSound: boolean;
  readonly findings: readonly Finding[];
} {
  try {
    const { config } = loadConfig({ env });
    const settings = ofSettings(config);
    return {
      config,
      areSound: settings.state === 'Well',
      findings: [settings, ofLinks(config), lookAtDisk(config['Svc:DataDirectory'])],
    };
  } catch (error) {
    return { areSound: false, findings: [badSettings(error)] };
  }
}

const badSettings = (error: unknown): Finding =>
  fault('Settings', (error as Error).message, 'Fix the setting; docs/settings.md says what each may be.');

function ofSettings(config: Config): Finding {
  try {
    checkAllSettings(config);
    return well('Settings', 'The settings hold.');
  } catch (error) {
    return badSettings(error);
  }
}

function ofLinks(config: Config): Finding {
  const base = config['Svc:BaseUrl'];
  return base === undefined
    ? warning(
        'Links',
        'No base of links is configured: unless an Admin has set one, messages carry no link.',
        'Set Svc:BaseUrl, such as https://svc.example.org/svc, or the base of links in the admin settings.',
      )
    : well('Links', `Messages link to ${base}.`);
}

/** Checks the machine's resources for a start, and the mail server. */
async function ofMachine(config: Config, areSound: boolean): Promise<readonly Finding[]> {
  // With inconsistent settings, the result for the settings already reports these errors.
  const ifSound = (look: () => Promise<readonly Finding[]>) => (areSound ? look() : look().catch(() => []));
  const looks = [
    lookAtPorts(config),
    ifSound(() => lookAtMail(config)),
    ifSound(async () => lookAtNamedCertificates(config)),
  ];
  return (await Promise.all(looks)).flat();
}

async function ofDatabase(context: CommandContext): Promise<Examination> {
  try {
    return await withDatabase(context, { isExclusive: false }, ({ config, database }) => {
      const readUrl = config['Svc:Database:ReadConnectionString'];
      return examineDatabase({
        connection: database.connection,
        ...(readUrl !== undefined && { readConnection: { connectionString: readUrl } }),
        keys: presentKeys(config),
      });
    });
  } catch (error) {
    const remedy = 'Look at the log of PostgreSQL in the data directory, and at the rights of its folder.';
    return { findings: [fault('PostgreSQL', (error as Error).message, remedy)] };
  }
}

function writeBundle({ env }: CommandContext, file: string, seen: Examination): void {
  const settings = (() => {
    try {
      return describeSettings(loadConfig({ env })).filter(({ origin }) => origin !== null);
    } catch {
      return null;
    }
  })();
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch} ${os.release()}`,
    processors: os.availableParallelism(),
    memoryBytes: os.totalmem(),
  };
  const text = JSON.stringify({ madeAt: new Date().toISOString(), machine, settings, ...seen }, null, 2);
  writeFileSync(file, `${text}\n`, { flag: 'wx', mode: 0o600 });
}
