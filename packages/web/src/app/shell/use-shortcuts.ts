import { useEffect, useEffectEvent } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { useGo } from '../../ui/frame/go.ts';
import {
  focusSearch,
  listenForKeys,
  moveInRows,
  pageShortcuts,
  type Shortcut,
} from '../../ui/frame/keys/keys.ts';
import { type Destination, destinations, open } from '../navigation/navigation.ts';

/**
 * Listens for the shortcuts of the frame and of the present page.
 * @returns the shortcuts of the frame.
 */
export function useShortcuts(onHelp: () => void): readonly Shortcut[] {
  const go = useGo();
  const rights = useRights();
  const shortcutOf = (destination: Destination): Shortcut => ({
    keys: `g ${destination.key}`,
    label: `Go to ${destination.label}`,
    run: () => open(destination, go),
  });
  const shortcuts: readonly Shortcut[] = [
    { keys: '?', label: 'Help', run: onHelp },
    { keys: '/', label: 'Search this list', run: focusSearch },
    { keys: 'j', label: 'Next row', run: () => moveInRows(1) },
    { keys: 'k', label: 'Previous row', run: () => moveInRows(-1) },
    ...destinations.filter(({ key, need }) => key !== undefined && need.admits(rights)).map(shortcutOf),
  ];
  const allShortcuts = useEffectEvent(() => [...shortcuts, ...pageShortcuts()]);
  useEffect(() => listenForKeys(() => allShortcuts()), []);
  return shortcuts;
}

/** Calls a function on Ctrl-K, or on ⌘K on a Mac. */
export function usePaletteKey(onPalette: () => void): void {
  const openPalette = useEffectEvent(() => onPalette());
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
