import { Menu } from '@mantine/core';
import { Icon } from '../text/icons.tsx';
import classes from './filter-chips.module.css';

/** A filter with a closed list of values. */
export type Filter = {
  /** Name of the parameter, in the address and at the service. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

type Props = {
  readonly filters: readonly Filter[];
  readonly state: Readonly<Record<string, string | undefined>>;
  readonly onChange: (name: string, value: string | undefined) => void;
};

/** Filters as chips: each names what it filters and by what, and can be taken away. */
export function FilterChips({ filters, state, onChange }: Props) {
  return filters.map((filter) => {
    const chosen = filter.options.find((option) => option.value === state[filter.name]);
    return (
      <span key={filter.name} className={classes['chip']} data-on={chosen !== undefined}>
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className={classes['label']}>
              {filter.label}
              {chosen && <strong>{chosen.label}</strong>}
              <Icon name="down" size={12} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {filter.options.map((option) => (
              <Menu.Item
                key={option.value}
                onClick={() => onChange(filter.name, option.value)}
                rightSection={option === chosen ? <Icon name="check" /> : undefined}
              >
                {option.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {chosen && (
          <button
            type="button"
            className={classes['remove']}
            aria-label={`Remove the filter ${filter.label}`}
            onClick={() => onChange(filter.name, undefined)}
          >
            <Icon name="close" size={12} />
          </button>
        )}
      </span>
    );
  });
}
