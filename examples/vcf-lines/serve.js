import express from 'express';

const folder = '../../fixtures';
express()
  .use(express.static(folder))
  .listen(3000, '127.0.0.1', () => console.log(`serving ${folder} on http://127.0.0.1:3000`));
