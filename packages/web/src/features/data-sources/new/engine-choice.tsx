import classes from './engine-choice.module.css';

type Engine = { readonly engine: string; readonly label: string };

type Props = {
  /** Undefined while the engines load. */
  readonly engines: readonly Engine[] | undefined;
  readonly value: string | null;
  readonly onChange: (engine: string) => void;
};

const skeletons = ['a', 'b', 'c', 'd'];

/** Choice of engine. All engines are visible, and one press selects an engine. */
export function EngineChoice({ engines, value, onChange }: Props) {
  return (
    <fieldset className={classes['choice']} aria-busy={engines === undefined}>
      <legend>What is it?</legend>
      {engines === undefined
        ? skeletons.map((key) => <span key={key} className={classes['skeleton']} />)
        : engines.map(({ engine, label }) => (
            <label key={engine} className={classes['option']} data-on={engine === value}>
              <input
                type="radio"
                name="engine"
                value={engine}
                checked={engine === value}
                onChange={() => onChange(engine)}
              />
              {label}
            </label>
          ))}
    </fieldset>
  );
}
