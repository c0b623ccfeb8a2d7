import { describeSettings, loadConfig } from '@svc/server';
import { checkAllSettings } from '../check-settings.ts';
import type { CommandContext } from './database.ts';

/** `svc config check`: reads the settings as a start does, and connects to nothing. */
export function checkConfig({ env, say }: CommandContext): void {
  const { config, origins } = loadConfig({ env });
  checkAllSettings(config);
  say(`The settings hold: ${origins.size} are configured, the rest have their defaults.`);
}

const nameWidth = 60;
const valueWidth = 40;

/**
 * `svc config print`: every setting that is configured, its value and where it comes from; `isAll` adds the defaults.
 * Secrets are shown as `***`.
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
