import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /**
   * Id of the element that shows the text: it is selected where the browser does not let a page write the clipboard.
   */
  readonly shownIn: string;
}

export function CopyButton({ text, shownIn }: CopyButtonProps) {
  const [note, setNote] = useState('');
  const copy = async () => {
    try {
      // There is no clipboard on plain http, nor where the user denies it.
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
