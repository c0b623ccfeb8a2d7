import { useEffect, useState } from 'react';

/** What opened something: a control, and where that stood when it was itself in a menu or a dialog. */
type Opener = { readonly control: Element; readonly around: Opener | undefined };

/** The dialogs that are open, by the id that their content's begins with. */
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
 * Gives the focus back to what opened a dialog when that goes: to the control, or the control that opened the dialog
 * around it, or, when they are gone as a deleted row is, to the title of the page. It goes nowhere when it is
 * somewhere already.
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
