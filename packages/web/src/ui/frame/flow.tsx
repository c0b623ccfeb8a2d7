import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import classes from './flow.module.css';

type Props = {
  readonly title: string;
  readonly children: ReactNode;
  readonly intro?: ReactNode;
};

/** Page without navigation, with one column and one question. For visitors who are not signed in. */
export function BarePage({ title, intro, children }: Props) {
  return (
    <div className={classes['bare']}>
      <main className={classes['sheet']}>
        <Brand />
        <div className="stack-tight">
          <h1>{title}</h1>
          {intro !== undefined && <div className="soft">{intro}</div>}
        </div>
        {children}
      </main>
    </div>
  );
}
