import { useAddress } from '../../ui/address.ts';
import classes from './span-choice.module.css';

type Props<Value extends string> = {
  /** Parameter of the address that holds the choice. */
  readonly name: string;
  readonly label: string;
  /** The first is the default. */
  readonly options: readonly (readonly [Value, string])[];
};

/** The chosen span of time, from the address. */
export function useSpan<Value extends string>({ name, options }: Props<Value>): Value {
  const [state] = useAddress();
  const [found] = options.find(([value]) => value === state[name]) ?? options[0] ?? [];
  if (found === undefined) throw new Error(`${name} has no options.`);
  return found;
}

/** A choice between few spans of time; it lives in the address. */
export function SpanChoice<Value extends string>(props: Props<Value>) {
  const [, change] = useAddress();
  const present = useSpan(props);
  return (
    <fieldset className={classes['choice']}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.options.map(([value, label], index) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === present}
          onClick={() => change({ [props.name]: index === 0 ? undefined : value })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
