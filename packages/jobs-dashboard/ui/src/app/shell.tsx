import { Outlet } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useAddress } from '../lib/address.ts';
import { useAddons, useSession } from '../lib/requests.ts';
import { chooseTheme, useThemeChoice } from '../lib/theme.ts';
import { Segments, Tag } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { Notices } from '../parts/notices.tsx';
import { Facts } from '../parts/page.tsx';
import { useKeys } from './keys.ts';
import { endpointsItem, type NavigationItem, navigation } from './navigation.ts';
import { Palette } from './palette.tsx';
import classes from './shell.module.css';

function Item({ item, isHere }: { readonly item: NavigationItem; readonly isHere: boolean }) {
  return (
    <li>
      <Link to={item.path} className={classes['item']} aria-current={isHere ? 'page' : undefined}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d={item.icon} fill="none" stroke="currentColor" strokeWidth="1.500" strokeLinecap="round" />
        </svg>
        {item.name}
      </Link>
    </li>
  );
}

function Keys({
  items,
  onClose,
}: {
  readonly items: readonly NavigationItem[];
  readonly onClose: () => void;
}) {
  const pages = items.map(({ key, name }) => [name, <KeyPair key={key} second={key} />] as const);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <Facts
        facts={[
          ...pages,
          ['Go to anything', <PaletteKeys key="p" />],
          ['Search', <kbd key="/">/</kbd>],
          ['Next row, row before', <KeyChoice key="jk" />],
          ['Open the row', <kbd key="enter">Enter</kbd>],
          ['These keys', <kbd key="?">?</kbd>],
        ]}
      />
    </Dialog>
  );
}

const KeyPair = ({ second }: { readonly second: string }) => (
  <>
    <kbd>g</kbd> <kbd>{second}</kbd>
  </>
);
const PaletteKeys = () => (
  <>
    <kbd>Ctrl</kbd> <kbd>K</kbd>
  </>
);
const KeyChoice = () => (
  <>
    <kbd>j</kbd> <kbd>k</kbd>
  </>
);

const themes = [
  ['system', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Frame of every page: navigation, name of the visitor, theme. */
export function Shell() {
  const { path } = useAddress();
  const session = useSession().data;
  const hasEndpoints = useAddons().data?.endpoints === true;
  const items = useMemo(() => (hasEndpoints ? [...navigation, endpointsItem] : navigation), [hasEndpoints]);
  const [areKeysShown, showKeys] = useState(false);
  const theme = useThemeChoice();
  const [isPaletteShown, setPaletteShown] = useState(false);
  const acts = useMemo(
    () => ({ showKeys: () => showKeys(true), showPalette: () => setPaletteShown(true) }),
    [],
  );
  useKeys(items, acts);
  useEffect(() => {
    void path;
    window.scrollTo(0, 0);
  }, [path]);
  const isHere = (item: NavigationItem) => (item.path === '/' ? path === '/' : path.startsWith(item.path));
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#main">
        Skip to the content
      </a>
      <div className={classes['side']}>
        <header className={classes['brand']}>
          <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" fill="var(--accent-solid)" />
            <path d="M7 10h11M7 16h18M7 22h8" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
          </svg>
          <span>{session?.title ?? 'Jobs'}</span>
        </header>
        <nav className={classes['nav']} aria-label="Pages">
          <ul>
            {items.map((item) => (
              <Item key={item.path} item={item} isHere={isHere(item)} />
            ))}
          </ul>
        </nav>
        <footer className={classes['foot']}>
          {session?.homeUrl && <a href={session.homeUrl}>Back to the application</a>}
          <div className="row wrap">
            {session?.visitorName && <span className="truncate">{session.visitorName}</span>}
            {session?.mayAct === false && <Tag>Read-only</Tag>}
          </div>
          <Segments label="Theme" value={theme} options={themes} onChange={chooseTheme} />
        </footer>
      </div>
      <main id="main" tabIndex={-1} className={classes['main']}>
        <Outlet />
      </main>
      <Notices />
      {isPaletteShown && <Palette pages={items} onClose={() => setPaletteShown(false)} />}
      {areKeysShown && <Keys items={items} onClose={() => showKeys(false)} />}
    </div>
  );
}
