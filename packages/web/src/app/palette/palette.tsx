import { useId, useLayoutEffect, useRef } from 'react';
import { useFocusBack } from '../../ui/form/focus-back.ts';
import { paletteLabel } from './page-actions.ts';
import classes from './palette.module.css';
import { Search } from './search.tsx';

type Props = {
  readonly onClose: () => void;
  readonly onKeys: () => void;
  readonly onHelp: () => void;
};

/**
 * Command palette: reaches every page, every record by name and every action of the present page. It uses the browser's
 * own dialog. The dialog's code is small enough to load with the frame, so its field has the focus before the next key
 * press.
 */
export function Palette({ onClose, onKeys, onHelp }: Props) {
  const id = useId();
  useFocusBack(id);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // The page cannot be used while the dialog is open, so a choice closes the dialog before it runs.
  const close = () => dialog.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by key
    <dialog
      ref={dialog}
      id={id}
      aria-label={paletteLabel}
      className={classes['palette']}
      onClose={onClose}
      onClick={(event) => {
        // Only a click on the backdrop has the dialog as its target, because its content covers the rest.
        if (event.target === dialog.current) close();
      }}
    >
      <Search onClose={close} onKeys={onKeys} onHelp={onHelp} />
    </dialog>
  );
}
