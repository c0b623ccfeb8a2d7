import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUser } from '../../requests/session.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import classes from './account-menu.module.css';

// A menu needs much code of the component library, so the first press loads it.
const accountPart = later(() => import('./foot-menus.tsx').then((module) => module.AccountItems));

/** Name of the signed-in user, with the menu for signing out. */
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
    <LazyPart code={accountPart} fallback={button} onMissing={() => want(false)}>
      {(AccountItems) => <AccountItems target={button} />}
    </LazyPart>
  );
}

const initials = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');
