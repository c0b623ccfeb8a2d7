import { Select } from '@mantine/core';
import { type UserSettings, updateUserSettings } from '@svc/contract';
import { browserZone, showTimesIn } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { themeChoices } from '../../views/look/theme-choices.ts';
import { useTheme } from '../../views/look/use-theme.ts';
import { zones } from '../../views/schedule/zones.ts';

const ofBrowser = 'browser';

/** Time zone and theme of the user. Each choice applies immediately, in every browser. */
export function LookSettings({ record }: { readonly record: UserSettings }) {
  const { present, choose } = useTheme();
  return (
    <section className="stack" aria-labelledby="look" style={{ maxWidth: 360 }}>
      <h2 id="look">Time zone and theme</h2>
      {record.kind !== 'Host' && <ZoneSelect record={record} />}
      <Select
        label="Theme"
        data={themeChoices.map(({ value, label }) => ({ value, label }))}
        value={present.value}
        onChange={(value) => {
          const choice = themeChoices.find((each) => each.value === value);
          if (choice) choose(choice.value);
        }}
      />
    </section>
  );
}

function ZoneSelect({ record }: { readonly record: UserSettings }) {
  const change = useChange(updateUserSettings, { touches: ['sign-in'] });
  // Shows the selected value immediately, before the service confirms it.
  const selected = change.isPending ? change.variables.body?.timeZone : undefined;
  const zone = selected === undefined ? record.timeZone : selected;
  const save = async (timeZone: string | null) => {
    await change.mutateAsync({ body: { timeZone } });
    showTimesIn(timeZone);
    toastDone(`Times are shown in ${timeZone ?? `the zone of your browser, ${browserZone}`}.`);
  };
  return (
    <Select
      label="Time zone"
      description="Times on the pages are shown in it. Each schedule keeps its own."
      data={[
        { value: ofBrowser, label: `As the browser (${browserZone})` },
        ...[...new Set([...zones, ...(zone === null ? [] : [zone])])].map((name) => ({
          value: name,
          label: name,
        })),
      ]}
      value={zone ?? ofBrowser}
      searchable
      onChange={(value) =>
        void save(value === null || value === ofBrowser ? null : value).catch(toastProblem)
      }
    />
  );
}
