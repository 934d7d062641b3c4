"""One game or one position: Board, Task, play, analyse."""
