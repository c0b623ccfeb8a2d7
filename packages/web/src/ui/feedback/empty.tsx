import type { ReactNode } from 'react';
import { Icon, type IconName } from '../text/icons.tsx';
import classes from './empty.module.css';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** What this is for, or why nothing is here. */
  readonly children: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
};

/** Nothing here yet: what this place is for, and the next step. */
export function Empty({ icon, title, children, action }: Props) {
  return (
    <div className={classes['empty']}>
      <div className={classes['icon']}>
        <Icon name={icon} size={20} />
      </div>
      <h2>{title}</h2>
      <p className="soft">{children}</p>
      {action !== undefined && <div className="row wrap">{action}</div>}
    </div>
  );
}
