import './frame-styles.ts';
import { ActionIcon } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useRealtime } from '../../features/realtime/use-realtime.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { Toasts } from '../../ui/feedback/toast.tsx';
import { Brand } from '../../ui/frame/brand.tsx';
import { OpenHelp } from '../../ui/frame/help.ts';
import { pageShortcuts } from '../../ui/frame/keys/keys.ts';
import { ListTools } from '../../ui/list/list-tools.ts';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { useKeptTheme } from '../../views/look/use-theme.ts';
import { Navigation } from '../navigation/navigation-bar.tsx';
import { Palette } from '../palette/palette.tsx';
import { AwayLine } from './away-line.tsx';
import { SavedViewsTool } from './list-tools.tsx';
import classes from './shell.module.css';
import { useArrival } from './use-arrival.ts';
import { usePaletteKey, useShortcuts } from './use-shortcuts.ts';

const drawerPart = later(() =>
  import('../navigation/navigation-drawer.tsx').then((module) => module.NavigationDrawer),
);
const helpPart = later(() =>
  import('../../features/help/help-drawer.tsx').then((module) => module.HelpDrawer),
);
const keysPart = later(() => import('./keys-dialog.tsx').then((module) => module.KeysDialog));

/** Frame of every page behind the sign-in: navigation, palette, keyboard shortcuts. */
export function Shell() {
  useRealtime();
  useKeptTheme();
  const [isPaletteOpen, palette] = useDisclosure(false);
  const [areKeysOpen, keys] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const isNarrow = useMediaQuery('(max-width: 1100px)') ?? false;
  const shortcuts = useShortcuts(help.open);
  usePaletteKey(palette.open);
  useArrival(drawer.close);
  return (
    <div className={classes['frame']}>
      <a href="#main" className={classes['skip']}>
        Skip to the page
      </a>
      <TopBar onNavigation={drawer.open} onPalette={palette.open} />
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

type TopBarProps = { readonly onNavigation: () => void; readonly onPalette: () => void };

/** Bar above the page, which only narrow windows show. */
const TopBar = ({ onNavigation, onPalette }: TopBarProps) => (
  <header className={classes['top']}>
    <ActionIcon aria-label="Open the navigation" onClick={onNavigation}>
      <Icon name="menu" />
    </ActionIcon>
    <Brand />
    <span className="grow" />
    <Hint label="Search or go to">
      <ActionIcon aria-label="Open the command palette" onClick={onPalette}>
        <Icon name="search" />
      </ActionIcon>
    </Hint>
  </header>
);
