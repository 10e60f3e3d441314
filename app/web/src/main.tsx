import { render } from 'preact';
import './style.css';
import { App } from './app.tsx';
import { HttpEngine } from './engine.ts';
import { showTheme } from './theme.ts';

showTheme();
const root = document.getElementById('page');
if (root) render(<App engine={new HttpEngine()} />, root);
