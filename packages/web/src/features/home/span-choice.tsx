import { useAddress } from '../../ui/frame/address.ts';
import classes from './span-choice.module.css';

type Props<Value extends string> = {
  /** Parameter of the address that stores the choice. */
  readonly name: string;
  readonly label: string;
  /** Ordered from short to long. */
  readonly options: readonly (readonly [Value, string])[];
  /** Default without a parameter in the address. */
  readonly standard: Value;
};

/** Returns the span of time from the address. */
export function useSpan<Value extends string>({ name, options, standard }: Props<Value>): Value {
  const [state] = useAddress();
  return options.find(([value]) => value === state[name])?.[0] ?? standard;
}

/** Choice between few spans of time. The address stores the choice. */
export function SpanChoice<Value extends string>(props: Props<Value>) {
  const [, change] = useAddress();
  const present = useSpan(props);
  return (
    <fieldset className={classes['choice']}>
      <legend className="visually-hidden">{props.label}</legend>
      {props.options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === present}
          onClick={() => change({ [props.name]: value === props.standard ? undefined : value })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
