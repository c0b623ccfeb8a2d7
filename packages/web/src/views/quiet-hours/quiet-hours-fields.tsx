import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { type QuietHours, quietWindowsMax } from '@svc/contract';
import { Icon } from '../../ui/text/icons.tsx';
import { WeekdayButtons } from '../schedule/weekday-buttons.tsx';
import { zones } from '../schedule/zones.ts';
import classes from './quiet-hours.module.css';
import { firstQuietHours, namesOf, numbersOf, type QuietWindow, windowError } from './quiet-hours.ts';

type Props = {
  readonly value: QuietHours | null;
  /** Default time zone of the quiet hours. */
  readonly timeZone: string;
  /** Label of the choice that lets critical alerts pass. */
  readonly criticalLabel: string;
  readonly onChange: (value: QuietHours | null) => void;
};

/** Times without notifications. Held messages are sent afterwards. */
export function QuietHoursFields({ value, timeZone, criticalLabel, onChange }: Props) {
  return (
    <>
      <Checkbox
        label="Quiet hours"
        description="It still runs; its alerts wait until they end."
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? firstQuietHours(timeZone) : null)}
      />
      {value !== null && (
        <Windows
          quiet={value}
          criticalLabel={criticalLabel}
          set={(part) => onChange({ ...value, ...part })}
        />
      )}
    </>
  );
}

const WindowError = ({ window }: { readonly window: QuietWindow }) => {
  const error = windowError(window);
  return (
    error !== undefined && (
      <p role="alert" style={{ flexBasis: '100%', color: 'var(--red)' }}>
        {error}
      </p>
    )
  );
};

type WindowsProps = {
  readonly criticalLabel: string;
  readonly quiet: QuietHours;
  readonly set: (part: Partial<QuietHours>) => void;
};

function Windows({ quiet: { windows, timeZone, criticalPasses }, criticalLabel, set }: WindowsProps) {
  const setWindow = (at: number, part: Partial<QuietWindow>) =>
    set({ windows: windows.map((window, index) => (index === at ? { ...window, ...part } : window)) });
  const isOnly = windows.length === 1;
  return (
    <div className="stack-tight" style={{ paddingInlineStart: 28, gap: 12 }}>
      {windows.map((window, index) => (
        <WindowFields
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have nothing else that tells them apart
          key={index}
          window={window}
          number={isOnly ? undefined : index + 1}
          set={(part) => setWindow(index, part)}
          onRemove={() => set({ windows: windows.filter((_, other) => other !== index) })}
        />
      ))}
      <div className="row wrap" style={{ gap: 12, alignItems: 'flex-end' }}>
        <Select
          label="Time zone of the quiet hours"
          data={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
          value={timeZone}
          onChange={(zone) => zone !== null && set({ timeZone: zone })}
          allowDeselect={false}
          searchable
          w={240}
        />
        {windows.length < quietWindowsMax && (
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => set({ windows: [...windows, { days: [], from: '12:00', to: '13:00' }] })}
          >
            Add a window
          </Button>
        )}
      </div>
      <Checkbox
        label={criticalLabel}
        checked={criticalPasses}
        onChange={(event) => set({ criticalPasses: event.currentTarget.checked })}
      />
    </div>
  );
}

type WindowProps = {
  readonly window: QuietWindow;
  /** Undefined for the only window, which cannot be removed. */
  readonly number: number | undefined;
  readonly set: (part: Partial<QuietWindow>) => void;
  readonly onRemove: () => void;
};

function WindowFields({ window, number, set, onRemove }: WindowProps) {
  return (
    <div className={classes['window']}>
      <WeekdayButtons
        legend={number === undefined ? 'Days on which they begin' : `Days on which window ${number} begins`}
        days={numbersOf(window.days)}
        onChange={(days) => set({ days: namesOf(days) })}
      />
      <div className="row wrap" style={{ gap: 12, alignItems: 'flex-end' }}>
        <TextInput
          type="time"
          label="From"
          value={window.from}
          error={windowError(window) !== undefined}
          onChange={(event) => set({ from: event.currentTarget.value })}
          w={116}
        />
        <TextInput
          type="time"
          label="To"
          value={window.to}
          onChange={(event) => set({ to: event.currentTarget.value })}
          w={116}
        />
        {number !== undefined && (
          <ActionIcon variant="default" aria-label={`Remove window ${number}`} onClick={onRemove}>
            <Icon name="trash" />
          </ActionIcon>
        )}
      </div>
      <WindowError window={window} />
    </div>
  );
}
