import { type ReactNode, useEffect } from 'react';
import { count as formatCount } from '../../lib/format.ts';
import { Icon } from '../text/icons.tsx';
import { useOpenHelp } from './help.ts';
import { Link } from './link.tsx';
import classes from './page-header.module.css';

type Props = {
  readonly title: string;
  readonly count?: number | undefined;
  /** Parent list or record. */
  readonly parent?: { readonly to: string; readonly label: string } | undefined;
  /** Short facts next to the title: state, owner, last event. */
  readonly facts?: ReactNode;
  /** Shows a link to the documentation next to the title, for pages that need an explanation. */
  readonly hasHelp?: boolean | undefined;
  /** Actions of the page. The primary one is last. */
  readonly actions?: ReactNode;
};

/** Header of a page. Its title is also the document title, and receives the focus after navigation. */
export function PageHeader({ title, count, parent, facts, hasHelp, actions }: Props) {
  const openHelp = useOpenHelp();
  useEffect(() => {
    document.title = `${title} · Svc`;
  }, [title]);
  return (
    <header className={classes['header']}>
      <div className={classes['names']}>
        {parent && (
          <nav aria-label="Breadcrumb" className={classes['parent']}>
            <Link to={parent.to}>
              <Icon name="left" size={12} />
              {parent.label}
            </Link>
          </nav>
        )}
        <div className={classes['title']}>
          <h1 id="page-title" tabIndex={-1}>
            {title}
          </h1>
          {count !== undefined && <span className={classes['count']}>{formatCount(count)}</span>}
          {hasHelp && openHelp && (
            <button type="button" className={classes['help']} aria-haspopup="dialog" onClick={openHelp}>
              Help
            </button>
          )}
          {facts !== undefined && <div className={classes['facts']}>{facts}</div>}
        </div>
      </div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </header>
  );
}
