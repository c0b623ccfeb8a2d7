import { type AdminSettingName, adminSettingNames } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';
import type { Config } from '../../platform/config/index.ts';
import { llmConnectionName } from './llm-connection.ts';
import { llmLimitsName } from './llm-limits.ts';

/** A setting that changes at run time. */
export type Definition = {
  /** Key of the stored row. */
  readonly key: string;
  /** Permission to change it. Admins have every permission, including `SecurityAdmin`. */
  readonly needs: 'Admin' | 'SecurityAdmin';
  readonly configured: (config: Config) => string | undefined;
  /** Returns the value to store, or a refusal that explains the fault of the text. */
  readonly parse: (text: string) => { readonly value: string } | { readonly refusal: string };
};

/** Parses the base of links: an http or https address with a path that ends in `/svc` (spec 3 section 5.3). */
function parseBaseUrl(text: string): ReturnType<Definition['parse']> {
  const form =
    'The base URL must be an http or https address that ends in /svc, such as https://svc.example.org/svc.';
  if (!URL.canParse(text)) return { refusal: form };
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  if (!/^https?:$/.test(url.protocol) || !path.endsWith('/svc')) return { refusal: form };
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return { refusal: 'The base URL must have no user name, no query and no fragment.' };
  return { value: `${url.origin}${path}` };
}

function parseTimeZone(text: string): ReturnType<Definition['parse']> {
  try {
    // Uses the schedule parser, so that schedules accept the same time zones.
    parseSchedule('0 0 * * *', text).next(1, new Date(0));
    return { value: text };
  } catch {
    return { refusal: `There is no time zone ${JSON.stringify(text)}. Name one like Europe/Zagreb, or UTC.` };
  }
}

export const definitions: Readonly<Record<AdminSettingName, Definition>> = {
  baseUrl: {
    key: 'General.BaseUrl',
    needs: 'Admin',
    configured: (config) => config['Svc:BaseUrl'],
    parse: parseBaseUrl,
  },
  defaultTimeZone: {
    key: 'General.DefaultTimeZone',
    needs: 'SecurityAdmin',
    configured: (config) => config['Svc:DefaultTimeZone'],
    parse: parseTimeZone,
  },
};

/** Settings that configuration may lock. */
export type LockableName = AdminSettingName | typeof llmConnectionName | typeof llmLimitsName;
const lockableNames: readonly LockableName[] = [...adminSettingNames, llmConnectionName, llmLimitsName];

/**
 * Returns the settings that configuration locks.
 *
 * @throws RangeError with the name of an unknown setting.
 */
export function lockedSettings(config: Config): ReadonlySet<LockableName> {
  return new Set(
    config['Svc:AdminSettings:Locked'].map((name) => {
      const match = lockableNames.find((each) => each.toLowerCase() === name.trim().toLowerCase());
      if (match === undefined)
        throw new RangeError(
          `Svc:AdminSettings:Locked: "${name}" is no setting. There are: ${lockableNames.join(', ')}.`,
        );
      return match;
    }),
  );
}
