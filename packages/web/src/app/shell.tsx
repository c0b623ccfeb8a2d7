import './more-library-styles.ts';
import { ActionIcon } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../access/use-rights.ts';
import { useRealtime } from '../features/realtime/use-realtime.ts';
import { LazyPart, later } from '../ui/feedback/lazy-part.tsx';
import { Toasts } from '../ui/feedback/toast.tsx';
import { Brand } from '../ui/frame/brand.tsx';
import { useGo } from '../ui/frame/go.ts';
import { OpenHelp } from '../ui/frame/help.ts';
import { focusSearch, listenForKeys, moveInRows, pageShortcuts, type Shortcut } from '../ui/frame/keys.ts';
import { ListTools } from '../ui/list/list-tools.ts';
import { Hint } from '../ui/text/hint.tsx';
import { Icon } from '../ui/text/icons.tsx';
import { useKeptTheme } from '../views/look/use-theme.ts';
import { AwayLine } from './away-line.tsx';
import { SavedViewsTool } from './list-tools.tsx';
import { destinations, open as openPage } from './navigation.ts';
import { Navigation } from './navigation-bar.tsx';
import { Palette } from './palette.tsx';
import { noteVisit } from './recent.ts';
import classes from './shell.module.css';

const drawerPart = later(() => import('./navigation-drawer.tsx').then((module) => module.NavigationDrawer));
const helpPart = later(() => import('../features/help/help-drawer.tsx').then((module) => module.HelpDrawer));
const keysPart = later(() => import('./keys-dialog.tsx').then((module) => module.KeysDialog));

/** Frame of every page behind the sign-in: navigation, palette, keyboard shortcuts. */
export function Shell() {
  useRealtime();
  useKeptTheme();
  const go = useGo();
  const rights = useRights();
  const [isPaletteOpen, palette] = useDisclosure(false);
  const [areKeysOpen, keys] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const isNarrow = useMediaQuery('(max-width: 1100px)') ?? false;
  const { pathname, state } = useLocation();
  const shortcuts: readonly Shortcut[] = [
    { keys: '?', label: 'Help', run: help.open },
    { keys: '/', label: 'Search this list', run: focusSearch },
    { keys: 'j', label: 'Next row', run: () => moveInRows(1) },
    { keys: 'k', label: 'Previous row', run: () => moveInRows(-1) },
    ...destinations
      .filter(({ need }) => need.admits(rights))
      .flatMap((destination) =>
        destination.key === undefined
          ? []
          : [
              {
                keys: `g ${destination.key}`,
                label: `Go to ${destination.label}`,
                run: () => openPage(destination, go),
              },
            ],
      ),
  ];
  const present = useRef(shortcuts);
  present.current = shortcuts;
  useEffect(() => listenForKeys(() => [...present.current, ...pageShortcuts()]), []);
  const openPalette = palette.open;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [openPalette]);

  // A new page starts at its top. Its title receives the focus for screen readers and the keyboard.
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the effect is about
  useEffect(() => {
    drawer.close();
    noteVisit(pathname);
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (state.keepsFocus) return;
    window.scrollTo(0, 0);
    document.getElementById('page-title')?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className={classes['frame']}>
      <a href="#main" className={classes['skip']}>
        Skip to the page
      </a>
      <header className={classes['top']}>
        <ActionIcon aria-label="Open the navigation" onClick={drawer.open}>
          <Icon name="menu" />
        </ActionIcon>
        <Brand />
        <span className="grow" />
        <Hint label="Search or go to">
          <ActionIcon aria-label="Open the command palette" onClick={palette.open}>
            <Icon name="search" />
          </ActionIcon>
        </Hint>
      </header>
      <aside className={classes['side']}>
        <Navigation isIconsOnly={isNarrow} onPalette={palette.open} onHelp={help.open} />
      </aside>
      <main id="main" className={classes['main']} tabIndex={-1}>
        <ListTools.Provider value={SavedViewsTool}>
          <OpenHelp.Provider value={help.open}>
            <Outlet />
          </OpenHelp.Provider>
        </ListTools.Provider>
      </main>
      {isPaletteOpen && (
        // The palette's code loads with the frame, so that all keys typed after its shortcut reach its field.
        <Palette onClose={palette.close} onKeys={keys.open} onHelp={help.open} />
      )}
      {isDrawerOpen && (
        <LazyPart code={drawerPart} onMissing={drawer.close}>
          {(Drawer) => <Drawer onClose={drawer.close} onPalette={palette.open} onHelp={help.open} />}
        </LazyPart>
      )}
      {isHelpOpen && (
        <LazyPart code={helpPart} onMissing={help.close}>
          {(HelpDrawer) => <HelpDrawer onClose={help.close} onKeys={keys.open} />}
        </LazyPart>
      )}
      {areKeysOpen && (
        <LazyPart code={keysPart} onMissing={keys.close}>
          {(KeysDialog) => <KeysDialog shortcuts={[...shortcuts, ...pageShortcuts()]} onClose={keys.close} />}
        </LazyPart>
      )}
      <AwayLine />
      <Toasts />
    </div>
  );
}
