window.firstWhorl = window.Whorl;
