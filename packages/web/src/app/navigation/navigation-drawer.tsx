import { Drawer } from '@mantine/core';
import { useId } from 'react';
import { useFocusBack } from '../../ui/form/focus-back.ts';
import { Brand } from '../../ui/frame/brand.tsx';
import { Navigation } from './navigation-bar.tsx';

type Props = { readonly onClose: () => void; readonly onPalette: () => void; readonly onHelp: () => void };

/** Navigation on a narrow screen. */
export function NavigationDrawer({ onClose, onPalette, onHelp }: Props) {
  const id = useId();
  useFocusBack(id);
  return (
    <Drawer
      opened
      id={id}
      returnFocus={false}
      onClose={onClose}
      size={260}
      padding={12}
      title={<Brand />}
      // The page already has a banner, so the drawer's header must not be a second banner.
      attributes={{ header: { role: 'presentation' } }}
    >
      <Navigation
        isIconsOnly={false}
        isInDrawer
        onPalette={() => {
          onClose();
          onPalette();
        }}
        onHelp={() => {
          onClose();
          onHelp();
        }}
      />
    </Drawer>
  );
}
