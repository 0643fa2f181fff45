#!/bin/bash
# job.sh FOLDER COMMAND…: the command as the foreground job of a shell, as in a terminal's window. When it stops
# itself, a line typed is taken for `fg`. Into the folder goes the process id of the command, and what the terminal's
# settings are before it, whenever it has stopped, and after it.
set -m
trap : INT
folder=$1
shift
stopped_by_terminal=148
stty -g >"$folder/before"
bash -c 'echo $$ >"$0/pid" && exec "$@"' "$folder" "$@"
code=$?
while ((code == stopped_by_terminal)); do
  stty -g >"$folder/stopped"
  read -r _
  rm "$folder/stopped"
  fg >"$folder/fg"
  code=$?
done
stty -g >"$folder/after"
exit "$code"
