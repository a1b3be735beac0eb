import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /**
   * The id of the element that shows the text. It is selected if the browser does not allow the page to write to the
   * clipboard.
   */
  readonly shownIn: string;
}

export function CopyButton({ text, shownIn }: CopyButtonProps) {
  const [note, setNote] = useState('');
  const copy = async () => {
    try {
      // The clipboard is unavailable on plain http and if the user denies access.
      await navigator.clipboard.writeText(text);
      setNote('Copied.');
    } catch {
      const shown = document.getElementById(shownIn);
      if (shown) getSelection()?.selectAllChildren(shown);
      setNote('The browser did not allow copying. It is selected: copy it with the keyboard.');
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <span className="muted" role="status">
        {note}
      </span>
    </>
  );
}
