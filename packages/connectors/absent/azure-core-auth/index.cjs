'use strict';

/** Nothing is a credential of Microsoft Entra ID here. */
exports.isTokenCredential = () => false;
