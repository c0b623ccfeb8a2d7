import { useEffect, useState } from 'react';

/** Opener of a dialog: its control, and the opener of the menu or dialog that contains the control. */
type Opener = { readonly control: Element; readonly around: Opener | undefined };

/** Openers of the open dialogs, by the prefix of the ids inside the dialog. */
const openers = new Map<string, Opener | undefined>();

function presentOpener(): Opener | undefined {
  const control = document.activeElement;
  if (!control || control === document.body) return undefined;
  const menu = control.closest('[role=menu]');
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  if (button) return { control: button, around: openerOfDialogAround(button) };
  return { control, around: openerOfDialogAround(control) };
}

function openerOfDialogAround(control: Element): Opener | undefined {
  const dialog = control.closest('[role=dialog]');
  for (const [id, opener] of openers) if (dialog?.id.startsWith(id)) return opener;
  return undefined;
}

function giveBack(opener: Opener | undefined): void {
  let last = opener;
  while (last && !last.control.isConnected) last = last.around;
  const control = last?.control ?? document.getElementById('page-title');
  if (control instanceof HTMLElement) control.focus({ preventScroll: true });
}

/**
 * Returns the focus to the opener when a dialog closes: to the control, or to the opener of the dialog around it. If
 * both are removed, e.g. with a deleted row, the page title receives it. An existing focus is not moved.
 */
export function useFocusBack(id: string): void {
  const [opener] = useState(presentOpener);
  useEffect(() => {
    openers.set(id, opener);
    return () => {
      openers.delete(id);
      setTimeout(() => {
        const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
        if (!openers.has(id) && !hasFocus) giveBack(opener);
      });
    };
  }, [id, opener]);
}
