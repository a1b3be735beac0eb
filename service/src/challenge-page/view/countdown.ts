/** Served as a file. Counts down until another code can be sent, and keeps the buttons from being pressed before. */
export const countdown = `'use strict';
for (const wait of document.querySelectorAll('[data-wait]')) {
  const seconds = wait.querySelector('[data-seconds]');
  const buttons = wait.parentElement.querySelectorAll('button');
  const end = performance.now() + Number(seconds.textContent) * 1000;
  for (const button of buttons) button.disabled = true;
  const count = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    seconds.textContent = Math.max(0, left);
    if (left > 0) return;
    clearInterval(timer);
    wait.remove();
    for (const button of buttons) button.disabled = false;
  };
  const timer = setInterval(count, 250);
}
`;
