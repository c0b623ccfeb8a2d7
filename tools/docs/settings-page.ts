import type { Setting } from '../../packages/server/src/platform/config/setting.ts';

const intro = `# Settings

<!-- Written by \`npm run docs\` from the registry of settings; do not edit. -->

Settings come, strongest first, from code (a host that embeds the service), from environment variables and from
\`svc.config.json\` (or the file that \`SVC_CONFIG\` names). An environment variable is the key with \`__\` for \`:\`, such as
\`Svc__ApiKeys__MaxLifetimeDays\`; with \`_FILE\` after it, it names a file that holds the value. Keys compare without case.
A list is one JSON array, or one entry each under \`__0\`, \`__1\` …; a map is a JSON object. An unknown key or a bad value
stops the start and is named.
`;

/** Returns the page of all settings, grouped by the segment after `Svc:`. */
export function settingsPage(settings: Readonly<Record<string, Setting>>): string {
  const groups = new Map<string, [string, Setting][]>();
  for (const entry of Object.entries(settings)) {
    const segments = entry[0].split(':');
    const group = segments.length > 2 ? (segments[1] ?? '') : 'General';
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const names = [...groups.keys()].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
  return [intro, ...names.map((name) => section(name, groups.get(name) ?? []))].join('\n');
}

const rank = (group: string): number => (group === 'General' ? 0 : 1);

function section(name: string, entries: readonly [string, Setting][]): string {
  const title = name === 'General' ? name : `\`Svc:${name}\``;
  const rows = [...entries]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(
      ([key, setting]) =>
        `| \`${key}\` | ${cell(setting.description)} | ${valuesOf(setting)} | ${defaultOf(setting)} |`,
    );
  return `## ${title}\n\n| Key | What it does | Values | Default |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const defaultOf = ({ defaultText }: Setting): string =>
  defaultText === 'none' ? 'none' : `\`${cell(defaultText)}\``;

/** Returns the accepted values of a setting, from its refusal of a bad value. */
function valuesOf(setting: Setting): string {
  if (setting.kind === 'list' || setting.kind === 'map') return setting.kind;
  const kind = setting.kind === 'secret' ? 'secret text' : 'text';
  try {
    setting.parse(' ');
    return kind;
  } catch (error) {
    const expectation = cell((error as Error).message);
    return setting.kind === 'secret' ? `${kind}, ${expectation}` : expectation;
  }
}
