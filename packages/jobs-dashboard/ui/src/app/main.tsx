import '@fontsource-variable/commissioner/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../parts/tokens.css';
import '../parts/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../lib/requests.ts';
import { startTheme } from '../lib/theme.ts';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page holds no root element.');
startTheme();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
