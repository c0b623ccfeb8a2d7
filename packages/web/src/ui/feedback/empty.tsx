import type { ReactNode } from 'react';
import { Icon, type IconName } from '../text/icons.tsx';
import classes from './empty.module.css';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  /** Purpose of the page, or the reason why it is empty. */
  readonly children: ReactNode;
  /** Next step. */
  readonly action?: ReactNode;
};

/** Empty state: the purpose of the place, and the next step. */
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
