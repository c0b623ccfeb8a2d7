import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { currentUser } from '../features/session/requests/current-user.ts';
import classes from './account-menu.module.css';

// A menu is half a library; it is fetched when it is first asked for.
const AccountItems = lazy(() =>
  import('./foot-menus.tsx').then((module) => ({ default: module.AccountItems })),
);

/** Who is signed in, and the way out. */
export function AccountMenu({ isIconsOnly }: { readonly isIconsOnly: boolean }) {
  const [isWanted, want] = useState(false);
  const { data: user } = useQuery(currentUser);
  const name = user?.displayName ?? user?.userName ?? '';
  const button = (
    <button type="button" className={classes['account']} aria-haspopup="menu" onClick={() => want(true)}>
      <span className={classes['initials']} aria-hidden="true">
        {initials(name)}
      </span>
      {isIconsOnly ? (
        <span className="visually-hidden">Account of {name}</span>
      ) : (
        <span className={classes['names']}>
          <span className="visually-hidden">Account of </span>
          <span className="truncate">{name}</span>
          <span className={classes['roles']}>{user?.roles.join(', ')}</span>
        </span>
      )}
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountItems target={button} />
    </Suspense>
  );
}

const initials = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');
