import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { count } from '../../lib/format.ts';
import classes from './selection-bar.module.css';

type Props = {
  readonly selectedCount: number;
  readonly onClear: () => void;
  /** Actions on all selected rows. */
  readonly children: ReactNode;
};

/** Actions on the selected rows. The bar remains visible while the list scrolls. */
export const SelectionBar = ({ selectedCount, onClear, children }: Props) => (
  <section className={classes['bar']} aria-label="Selected rows">
    <output className={classes['count']}>{count(selectedCount)} selected</output>
    {children}
    <Button variant="subtle" onClick={onClear}>
      Clear selection
    </Button>
  </section>
);
