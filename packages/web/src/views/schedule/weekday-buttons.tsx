import classes from './schedule-fields.module.css';

const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const weekFromMonday = [1, 2, 3, 4, 5, 6, 0];

type Props = {
  readonly legend: string;
  /** 0 is Sunday. */
  readonly days: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
};

/** Buttons that switch each day of the week on or off. */
export const WeekdayButtons = ({ legend, days, onChange }: Props) => (
  <fieldset className={classes['days']}>
    <legend>{legend}</legend>
    {weekFromMonday.map((day) => (
      <button
        key={day}
        type="button"
        aria-pressed={days.includes(day)}
        onClick={() => onChange(days.includes(day) ? days.filter((other) => other !== day) : [...days, day])}
      >
        {names[day]}
      </button>
    ))}
  </fieldset>
);
