import './library-styles.ts';
import '@fontsource-variable/commissioner/wght.css';
import '@fontsource/jetbrains-mono/400.css';
import '@fontsource/jetbrains-mono/600.css';
import '../ui/frame/tokens.css';
import '../ui/frame/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from '../lib/nonce.ts';
import { queryClient } from '../lib/server-state.ts';
import { theme } from '../ui/frame/theme.ts';
import { router } from './router.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page holds no root element.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
