/// <reference types="vite/client" />

/** The version of the build; written into it. */
declare const __VERSION__: string;

/** The licence of the project, as its manifest names it; written into the build. */
declare const __LICENSE__: string;
