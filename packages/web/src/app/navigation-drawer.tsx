import { Drawer } from '@mantine/core';
import { Brand } from '../ui/brand.tsx';
import { Navigation } from './navigation-bar.tsx';

type Props = { readonly onClose: () => void; readonly onPalette: () => void; readonly onKeys: () => void };

/** The navigation on a narrow screen. */
export function NavigationDrawer({ onClose, onPalette, onKeys }: Props) {
  return (
    <Drawer opened onClose={onClose} size={260} padding={12} title={<Brand />}>
      <Navigation
        isIconsOnly={false}
        isInDrawer
        onPalette={() => {
          onClose();
          onPalette();
        }}
        onKeys={() => {
          onClose();
          onKeys();
        }}
      />
    </Drawer>
  );
}
